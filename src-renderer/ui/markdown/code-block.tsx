// A block of code: its language, a button to copy it, and colours once nothing can change it any more.
import { memo, useContext, useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { Check, Copy } from 'lucide-react';
import { IconButton } from '../icon-button.tsx';
import { LongText } from '../text/long-text.tsx';
import { highlight, highlighted } from './highlight.ts';
import type { TokenLine } from './highlight-protocol.ts';
import { OutsideContext } from './outside.ts';
import styles from './code-block.module.css';

const LONGEST_DRAWN = 100_000;

function useLines(code: string, language: string, closed: boolean): readonly TokenLine[] | null {
  const [found, setFound] = useState<{ code: string; lines: readonly TokenLine[] } | null>(null);
  const known = closed ? highlighted(code, language) : null;
  useEffect(() => {
    if (!closed || known !== null) return undefined;
    let wanted = true;
    void highlight(code, language).then((lines) => {
      if (wanted && lines !== null) setFound({ code, lines });
    });
    return () => {
      wanted = false;
    };
  }, [code, language, closed, known]);
  return known ?? (found?.code === code ? found.lines : null);
}

function drawLine(line: TokenLine, index: number): ReactElement {
  return (
    <span key={index}>
      {line.map(([text, color], place) =>
        color === '' ? (
          text
        ) : (
          <span key={place} style={{ color }}>
            {text}
          </span>
        ),
      )}
      {'\n'}
    </span>
  );
}

/** Copies a text; says for two seconds that it did. */
export function CopyButton({ text, label }: { text: string; label: string }): ReactElement {
  const { copyText } = useContext(OutsideContext);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      size="small"
      label={copied ? 'Copied' : label}
      icon={copied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
      onClick={() => void copyText(text).then(() => setCopied(true))}
    />
  );
}

/** See the file's header. `closed` = the code is complete. */
export const CodeBlock = memo(function CodeBlock(props: {
  code: string;
  language: string;
  closed: boolean;
}): ReactElement {
  const { code, language, closed } = props;
  const lines = useLines(code, language, closed);
  return (
    <figure className={styles['block']} aria-label={language === '' ? 'Code' : `Code, ${language}`}>
      <figcaption className={styles['bar']}>
        <span className={styles['language']}>{language}</span>
        <CopyButton text={code} label="Copy code" />
      </figcaption>
      {code.length > LONGEST_DRAWN ? (
        <div className={styles['long']}>
          <LongText text={code} label="Code" />
        </div>
      ) : (
        // Focusable, as it may scroll sideways.
        <pre className={styles['code']} dir="ltr" tabIndex={0}>
          <code>{lines === null ? code : lines.map(drawLine)}</code>
        </pre>
      )}
    </figure>
  );
});

// One block of markdown. No raw HTML, no images from elsewhere, and links only to addresses that may be opened outside.
import { memo, useContext } from 'react';
import type { ComponentProps, MouseEvent, ReactElement, ReactNode } from 'react';
import Markdown from 'react-markdown';
import type { Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import remend from 'remend';
import { VisibleText } from '../verbatim/verbatim.tsx';
import { CodeBlock } from './code-block.tsx';
import { OutsideContext } from './outside.ts';
import { safeLink } from './safe-link.ts';
import type { MarkdownBlock } from './split-blocks.ts';
import styles from './markdown.module.css';

const plugins = [remarkGfm];

function SafeLink({ href, children }: { href: string | undefined; children: ReactNode }): ReactElement {
  const { openLink } = useContext(OutsideContext);
  const url = safeLink(href);
  if (url === null) return <span className={styles['inert']}>{children}</span>;
  const open = (event: MouseEvent): void => {
    event.preventDefault();
    openLink(url);
  };
  return (
    <a href={url} title={url} rel="noreferrer noopener" draggable={false} onClick={open} onAuxClick={open}>
      {children}
    </a>
  );
}

function drawCode({ className, children }: ComponentProps<'code'>): ReactElement {
  const text = typeof children === 'string' ? children : '';
  return (
    <code className={className} dir="ltr">
      <VisibleText text={text} />
    </code>
  );
}

/** A fence inside a list or a quotation; top-level ones never come here. */
function drawPre({ children }: ComponentProps<'pre'>): ReactElement {
  const inner: unknown = children;
  const element =
    typeof inner === 'object' && inner !== null && 'props' in inner ? (inner.props as ComponentProps<'code'>) : {};
  const code = typeof element.children === 'string' ? element.children.replace(/\n$/, '') : '';
  return <CodeBlock code={code} language={/language-(\S+)/.exec(element.className ?? '')?.[1] ?? ''} closed />;
}

const components: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  // The address is what there is to show: nothing is fetched.
  img: ({ src, alt }) => (
    <SafeLink href={typeof src === 'string' ? src : undefined}>
      {alt === undefined || alt === '' ? 'image' : `image: ${alt}`}
    </SafeLink>
  ),
  // Only task lists have one.
  input: ({ checked }) => (
    <input
      type="checkbox"
      disabled
      checked={checked === true}
      aria-label={checked === true ? 'done' : 'to do'}
      readOnly
    />
  ),
  code: drawCode,
  pre: drawPre,
  table: ({ children }) => (
    <div className={styles['scroll']} tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
  // The transcript's own headings are the messages; those of an answer stand below them.
  h1: ({ children }) => <h3 className={styles['h1']}>{children}</h3>,
  h2: ({ children }) => <h3 className={styles['h2']}>{children}</h3>,
  h3: ({ children }) => <h4 className={styles['h3']}>{children}</h4>,
  h4: ({ children }) => <h5 className={styles['h3']}>{children}</h5>,
  h5: ({ children }) => <h5 className={styles['h3']}>{children}</h5>,
  h6: ({ children }) => <h5 className={styles['h3']}>{children}</h5>,
};

/** Addresses are judged by `safeLink` alone, so that the person can be shown what stood there. */
const keepUrl = (url: string): string => url;

/** Draws one block. An open block is still being written: half-written markup is closed for the eye. */
export const MarkdownBlockView = memo(function MarkdownBlockView({ block }: { block: MarkdownBlock }): ReactElement {
  if (block.type === 'code') return <CodeBlock code={block.code} language={block.language} closed={block.closed} />;
  const source = block.closed ? block.source : remend(block.source, { linkMode: 'text-only' });
  return (
    <Markdown remarkPlugins={plugins} components={components} urlTransform={keepUrl}>
      {source}
    </Markdown>
  );
});

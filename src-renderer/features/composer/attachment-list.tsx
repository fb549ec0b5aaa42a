// What will be sent along: each attachment with its size and an estimate of its tokens, and those still being added.
import type { ReactElement } from 'react';
import { Paperclip, X } from 'lucide-react';
import type { Attachment } from '../../../src-main/contract/entries.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { showSize } from '../../ui/text/cut-text.ts';
import { VisibleText } from '../../ui/verbatim/verbatim.tsx';
import styles from './composer.module.css';

/** A text on its way into an attachment; `share` is 0 to 1. */
export interface Upload {
  readonly name: string;
  readonly characters: number;
  readonly share: number;
}

export interface AttachmentListProps {
  readonly attachments: readonly Attachment[];
  readonly uploads: readonly Upload[];
  readonly onRemove: (id: string) => void;
}

/** See the file's header. */
export function AttachmentList({ attachments, uploads, onRemove }: AttachmentListProps): ReactElement | null {
  if (attachments.length === 0 && uploads.length === 0) return null;
  return (
    <ul className={styles['chips']} aria-label="Attachments">
      {attachments.map(({ id, name, bytes, tokens }) => (
        <li key={id} className={styles['chip']}>
          <Paperclip size={13} aria-hidden="true" />
          <span className={styles['chip-name']} title={name}>
            <VisibleText text={name} oneLine />
          </span>
          <span className={styles['hint']}>
            {showSize(bytes)} · ~{tokens.toLocaleString('en')} tokens
          </span>
          <IconButton
            size="small"
            label={`Remove ${name}`}
            icon={<X size={13} aria-hidden="true" />}
            onClick={() => onRemove(id)}
          />
        </li>
      ))}
      {uploads.map(({ name, characters, share }) => (
        <li key={name} className={styles['chip']} aria-busy="true">
          <Paperclip size={13} aria-hidden="true" />
          {name}
          <span className={styles['hint']}>
            {showSize(characters)} · adding, {Math.round(share * 100)} %
          </span>
        </li>
      ))}
    </ul>
  );
}

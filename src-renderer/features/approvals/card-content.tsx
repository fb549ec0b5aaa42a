// What an approval is about, verbatim: the command, the diff, the address or path, or the arguments.
import type { ReactElement } from 'react';
import type { Approval } from '../../../src-main/contract/session.ts';
import { DiffView } from '../../ui/diff/diff-view.tsx';
import { LongText } from '../../ui/text/long-text.tsx';

/** `onComplete` is told whether all of it is laid out. */
export function CardContent(props: { approval: Approval; onComplete: (complete: boolean) => void }): ReactElement {
  const { approval, onComplete } = props;
  const { preview } = approval;
  switch (preview.type) {
    case 'command':
      return <LongText text={preview.command} label="Command" verbatim onComplete={onComplete} />;
    case 'diff':
      return <DiffView diff={preview.diff} path={preview.path} onComplete={onComplete} />;
    case 'url':
      return <LongText text={preview.url} label="Address" verbatim onComplete={onComplete} />;
    case 'path':
      return <LongText text={preview.path} label="Path" verbatim onComplete={onComplete} />;
    case 'none':
      return <LongText text={approval.argumentsText} label="Arguments" verbatim onComplete={onComplete} />;
  }
}

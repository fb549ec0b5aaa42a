// The button that asks for files to attach, by the system's own dialog for files.
import { useRef, type ReactElement } from 'react';
import { Paperclip } from 'lucide-react';
import { IconButton } from '../../ui/icon-button.tsx';

export interface AttachButtonProps {
  readonly disabled: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

export function AttachButton({ disabled, onFiles }: AttachButtonProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        size="small"
        tooltipSide="top"
        label="Attach text files"
        icon={<Paperclip size={15} aria-hidden="true" />}
        disabled={disabled}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          const { files } = event.currentTarget;
          if (files && files.length > 0) onFiles([...files]);
          // The same file may be chosen again.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

// The edge between two columns: dragged, or moved with the arrow keys.
import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { WIDTHS } from '../../state/layout-store.ts';
import { useLayout, useLayoutStore } from '../../state/window-context.tsx';
import { classes } from '../../ui/classes.ts';
import styles from './resizer.module.css';

export interface ResizerProps {
  readonly part: keyof typeof WIDTHS;
  readonly label: string;
  /** The side of the column that the edge is on. */
  readonly edge: 'left' | 'right';
}

const STEP = 16;

export function Resizer({ part, label, edge }: ResizerProps) {
  const layout = useLayoutStore();
  const width = useLayout((state) => state[part]);
  const drag = useRef<{ readonly x: number; readonly width: number } | null>(null);
  const sign = edge === 'right' ? 1 : -1;
  const [least, most] = WIDTHS[part];

  const begin = (event: PointerEvent<HTMLDivElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width };
  };
  const move = (event: PointerEvent<HTMLDivElement>): void => {
    if (drag.current) layout.resize(part, drag.current.width + sign * (event.clientX - drag.current.x));
  };
  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    const steps = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (steps === 0) return;
    event.preventDefault();
    layout.resize(part, width + sign * steps * STEP);
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={most}
      className={classes(styles['resizer'], styles[edge])}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={() => (drag.current = null)}
      onKeyDown={press}
    />
  );
}

// Draws its content once it comes near the view, and stands in with an empty box of about its height until then.
import { useEffect, useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';

/** `height` is the estimate in px. `draw` is called when the piece is first needed. `eager` draws it at once. */
export function LazyPiece(props: { height: number; eager: boolean; draw: () => ReactNode }): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(props.eager);
  useEffect(() => {
    const element = box.current;
    if (near || element === null) return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some((entry) => entry.isIntersecting)) setNear(true);
      },
      { rootMargin: '600px', scrollMargin: '600px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [near]);
  return near ? <div>{props.draw()}</div> : <div ref={box} style={{ height: props.height }} />;
}

// Tells main once when a composer can be typed into and is on screen: the figure that start is judged by.
import { useEffect } from 'react';
import { useClient } from '../../state/window-context.tsx';

let reported = false;

export function useReportReady(): void {
  const client = useClient();
  useEffect(() => {
    if (reported) return;
    reported = true;
    // The second frame begins when the first one is painted.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        // A figure that is lost harms nobody.
        client.app.reportReady({ sinceStartMs: performance.now() }).catch(() => undefined);
      }),
    );
  }, [client]);
}

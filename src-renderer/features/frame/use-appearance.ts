// Carries the person's appearance settings to the page: theme and reading size.
import { useLayoutEffect } from 'react';
import { useAppStore } from '../../state/window-context.tsx';

export function useAppearance(): void {
  const theme = useAppStore((state) => state.app?.settings.theme ?? 'system');
  const textSize = useAppStore((state) => state.app?.settings.textSize ?? 15);
  useLayoutEffect(() => {
    const { documentElement: page } = document;
    if (theme === 'system') delete page.dataset['theme'];
    else page.dataset['theme'] = theme;
  }, [theme]);
  useLayoutEffect(() => {
    document.documentElement.style.setProperty('--text-reading', `${textSize}px`);
  }, [textSize]);
}

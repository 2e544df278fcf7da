import { useState, type ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { applyTheme, storedTheme, storeTheme, type Theme } from './theme.js';
import styles from './tools.module.css';
import { texts } from '../texts/app.js';

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

/** Cycles through the system's theme, light and dark. */
export function ThemeSwitch(): ReactNode {
  const [theme, setTheme] = useState(() => storedTheme(localStorage));
  function change(): void {
    const next = NEXT[theme];
    storeTheme(localStorage, next);
    applyTheme(next);
    setTheme(next);
  }
  return (
    <Button className={styles['tool'] ?? ''} aria-label={texts.theme[theme]} onPress={change}>
      <svg
        width="16"
        height="16"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        aria-hidden="true"
      >
        <circle cx="8" cy="8" r="6" />
        {theme !== 'light' && (
          <path
            d={theme === 'dark' ? 'M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2z' : 'M8 2a6 6 0 0 1 0 12z'}
            fill="currentColor"
          />
        )}
      </svg>
    </Button>
  );
}

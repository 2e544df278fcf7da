export type Theme = 'system' | 'light' | 'dark';

const KEY = 'ringdown.theme';

export function storedTheme(storage: Pick<Storage, 'getItem'>): Theme {
  const stored = storage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function storeTheme(storage: Pick<Storage, 'setItem' | 'removeItem'>, theme: Theme): void {
  if (theme === 'system') storage.removeItem(KEY);
  else storage.setItem(KEY, theme);
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

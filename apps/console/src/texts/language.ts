/** The languages of the console, by their own names. English is complete, and the type of the others. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

const KEY = 'ringdown.language';

/** The language that a person has chosen in this browser; otherwise the first that the browser prefers and we have. */
export function languageOf(chosen: string | null, preferred: readonly string[]): Language {
  return [chosen ?? '', ...preferred].map((tag) => tag.split('-', 1)[0] ?? '').find(isLanguage) ?? 'en';
}

/** The language as a tag for the server: that of the browser, which has its country, or only the language. */
export function cultureOf(language: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => tag.split('-', 1)[0] === language) ?? language;
}

/**
 * The locale of dates and numbers: that of the browser for the language. In a language that the browser does not have,
 * 12 or 24 hours stay those of the browser.
 */
export function localeOf(language: Language, preferred: readonly string[]): string {
  const culture = cultureOf(language, preferred);
  if (preferred.includes(culture)) return culture;
  const { hourCycle } = new Intl.DateTimeFormat(preferred[0], { hour: 'numeric' }).resolvedOptions();
  return new Intl.Locale(culture, hourCycle && { hourCycle }).toString();
}

/** Takes effect when the page is loaded again: texts are read while modules are loaded. */
export function storeLanguage(storage: Pick<Storage, 'setItem'>, language: Language): void {
  storage.setItem(KEY, language);
}

function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text);
}

// Without a page, as in unit tests, English.
const isPage = typeof document !== 'undefined';

export const language = isPage ? languageOf(localStorage.getItem(KEY), navigator.languages) : 'en';

/** Undefined without a page: the default of the machine. */
export const locale = isPage ? localeOf(language, navigator.languages) : undefined;

export const culture = cultureOf(language, isPage ? navigator.languages : []);

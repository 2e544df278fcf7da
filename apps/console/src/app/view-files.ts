import type { ComponentType } from 'react';

/** Milliseconds before each further attempt. */
const PAUSES = [500, 1_000, 2_000];

/** The files of a view, loaded once when the view is first opened. */
export class ViewFiles {
  private found: ComponentType | undefined;
  private coming: Promise<ComponentType> | undefined;

  constructor(
    private readonly fetch: () => Promise<ComponentType>,
    private readonly pauses: readonly number[] = PAUSES,
  ) {}

  /** Undefined until they are loaded. */
  get component(): ComponentType | undefined {
    return this.found;
  }

  /** Tries again some times: a network may just have changed. Rejects after that, and may be called again. */
  load(): Promise<ComponentType> {
    this.coming ??= this.loaded();
    return this.coming;
  }

  private async loaded(): Promise<ComponentType> {
    for (const pause of this.pauses) {
      try {
        return await this.fetched();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, pause));
        await replaceFailedStyles();
      }
    }
    try {
      return await this.fetched();
    } catch (error) {
      this.coming = undefined;
      throw error;
    }
  }

  private async fetched(): Promise<ComponentType> {
    this.found = await this.fetch();
    return this.found;
  }
}

/** Style sheets that could not be loaded: Vite requests each only once, also when the view is loaded again. */
async function replaceFailedStyles(): Promise<void> {
  if (typeof document === 'undefined') return;
  const failed = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(
    ({ sheet }) => !hasRules(sheet),
  );
  await Promise.all(failed.map((link) => reloaded(link)));
}

/** Chromium has a style sheet for a file that was not loaded, too: its rules cannot be read. */
function hasRules(sheet: CSSStyleSheet | null): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/** Resolves in any case: one that fails again is tried again with the next attempt. */
function reloaded(link: HTMLLinkElement): Promise<void> {
  const again = document.createElement('link');
  again.rel = 'stylesheet';
  again.crossOrigin = link.crossOrigin;
  again.href = link.href;
  link.replaceWith(again);
  return new Promise((resolve) => {
    for (const event of ['load', 'error']) again.addEventListener(event, () => resolve(), { once: true });
  });
}

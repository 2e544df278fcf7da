import type { german } from './de/index.js';
import { language } from './language.js';

/**
 * All texts in the language of the page; undefined in English, whose texts are in the files of each view. Modules that use texts wait for
 * it, so that texts may be constants. Therefore the modules of a translation may import nothing of the file that is waiting (see README.md).
 */
export const translation: typeof german | undefined = language === 'de' ? await loaded() : undefined;

/** English, which is there already, is better than an empty page if the translation cannot be loaded. */
async function loaded(): Promise<typeof german | undefined> {
  try {
    return (await import('./de/index.js')).german;
  } catch (error) {
    reportError(error);
    return undefined;
  }
}

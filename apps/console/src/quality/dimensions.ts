import type { Dimension } from '../api/answers.js';
import { DIMENSIONS, type NAMES_BEFORE } from '../api/catalogue.js';
import { presentName } from '../search/conditions.js';
import type { TextName } from '../search/fields.js';
import type { DimensionWords } from '../texts/en/quality.js';
import { texts } from '../texts/quality.js';

/** `text` may be its name of an earlier release. */
export function dimensionOf(text: string | null, before?: typeof NAMES_BEFORE): Dimension | undefined {
  const name = text === null ? null : presentName(text, before);
  return DIMENSIONS.find((by) => by === name);
}

export function wordsFor(by: Dimension): DimensionWords {
  return texts.dimensions[by];
}

/** The filter of the search for a dimension: its own name, except for subnets. */
export function filterFor(by: Dimension): TextName {
  return by === 'subnet' ? 'address' : by;
}

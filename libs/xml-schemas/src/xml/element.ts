import { present } from '../model/values.js';
import type { TextPosition } from './feed-syntax-error.js';

/** An element of a document, by local name: the feed has no namespace, and copies of its schema have different ones. */
export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
  /** All text directly inside, untrimmed. */
  text: string;
  /** The end of its start tag. */
  readonly position: TextPosition;
}

/** Trimmed; undefined when nothing is left. */
export function trimmedElementText(element: Element | undefined): string | undefined {
  return element === undefined ? undefined : present(element.text);
}

export function childText(element: Element, name: string): string | undefined {
  return trimmedElementText(element.children.find((child) => child.name === name));
}

/**
 * One element in place of all that should have been one: values of the first ones win. Undefined when there is none.
 * All are joined at once, because a document may repeat an element two thousand times.
 */
export function joinedElement(repeated: readonly Element[]): Element | undefined {
  const [first, second] = repeated;
  if (first === undefined || second === undefined) return first;
  const attributes = new Map<string, string>();
  for (const element of repeated) {
    for (const [name, value] of element.attributes) {
      if (!attributes.has(name)) attributes.set(name, value);
    }
  }
  return {
    name: first.name,
    text: first.text,
    // Computed on request, because it is only needed for errors.
    get position() {
      return first.position;
    },
    attributes,
    children: repeated.flatMap(({ children }) => children),
  };
}

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

/** Merges two elements that should have been one: values of the first win over those of the second. */
export function joined(first: Element | undefined, second: Element): Element {
  if (first === undefined) return second;
  return {
    name: first.name,
    text: first.text,
    // Computed on request: a document may repeat an element two thousand times.
    get position() {
      return first.position;
    },
    attributes: new Map([...second.attributes, ...first.attributes]),
    children: [...first.children, ...second.children],
  };
}

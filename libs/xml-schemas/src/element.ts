import type { TextPosition } from './feed-syntax-error.js';

/** An element of a document, by local name: the feed has no namespace, copies of its schema have various. */
export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
  /** All text directly inside, untrimmed. */
  text: string;
  /** Where its start tag ends. */
  readonly position: TextPosition;
}

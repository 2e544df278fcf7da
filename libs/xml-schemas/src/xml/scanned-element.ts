import type { Element } from './element.js';
import type { TextPosition } from './feed-syntax-error.js';

/** Positions are only needed for errors, so they are computed on request. */
export class ScannedElement implements Element {
  readonly children: Element[] = [];
  text = '';

  /**
   * `tag`: its name as written, which its end tag must repeat; `end`: index of the `>` of its start tag in the
   * document.
   */
  constructor(
    readonly name: string,
    readonly attributes: ReadonlyMap<string, string>,
    readonly parent: ScannedElement | undefined,
    readonly tag: string,
    private readonly document: string,
    private readonly end: number,
  ) {}

  get position(): TextPosition {
    return textPosition(this.document, this.end);
  }
}

/** The position of the character at `index`, in a document whose line ends are line feeds. */
export function textPosition(document: string, index: number): TextPosition {
  const before = document.slice(0, index);
  const lines = before.split('\n');
  // By code points, like editors.
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 };
}

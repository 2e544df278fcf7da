import type { Element } from './element.js';
import type { TextPosition } from './feed-syntax-error.js';

/** Only who is refused needs a position, so it is worked out when somebody asks. */
export class ScannedElement implements Element {
  readonly children: Element[] = [];
  text = '';

  /**
   * `tag`: its name as it is written, which its end tag has to repeat; `end`: index of the `>` of its start tag in the
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
    return positionOf(this.document, this.end);
  }
}

/** Of the character at `index`, in a document whose line ends are line feeds. */
export function positionOf(document: string, index: number): TextPosition {
  const before = document.slice(0, index);
  const lines = before.split('\n');
  // By code points, as editors count.
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 };
}

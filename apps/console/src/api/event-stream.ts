/** One event of `text/event-stream`. */
export interface StreamEvent {
  readonly id: string;
  readonly name: string;
  readonly data: string;
}

/** Parses `text/event-stream` in pieces that may end anywhere (HTML, section 9.2.6). */
export class EventStreamParser {
  private rest = '';
  private id = '';
  private name = '';
  private data: string[] = [];

  /** The events that this piece completes. */
  push(piece: string): readonly StreamEvent[] {
    const text = this.rest + piece;
    // A CR at the end may be the first half of a line end.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.readLine(line));
  }

  private readLine(line: string): readonly StreamEvent[] {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return [];
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.data.push(value);
    else if (field === 'event') this.name = value;
    else if (field === 'id') this.id = value;
    return [];
  }

  private dispatch(): readonly StreamEvent[] {
    const { id, name, data } = this;
    this.name = '';
    this.data = [];
    return data.length === 0 ? [] : [{ id, name: name === '' ? 'message' : name, data: data.join('\n') }];
  }
}

import type { Readable } from 'node:stream';

export interface ServerSentEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Reads server-sent events (HTML standard, section 9.2) one after another. */
export class EventStream {
  private readonly events: AsyncGenerator<ServerSentEvent>;

  constructor(body: Readable) {
    this.events = eventsIn(body);
  }

  /** The first matching event from now on. Throws an Error when the stream ends before. */
  async next(wanted: (event: ServerSentEvent) => boolean): Promise<ServerSentEvent> {
    for (;;) {
      const { value, done } = await this.events.next();
      if (done === true) throw new Error('the stream has ended');
      if (wanted(value)) return value;
    }
  }
}

async function* eventsIn(body: Readable): AsyncGenerator<ServerSentEvent> {
  let text = '';
  for await (const chunk of body.setEncoding('utf8')) {
    text += String(chunk);
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const valuesOf = (field: string): string[] =>
        lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).trimStart());
      const data = valuesOf('data');
      if (data.length > 0) {
        yield { id: valuesOf('id')[0], event: valuesOf('event')[0] ?? 'message', data: data.join('\n') };
      }
    }
  }
}

import { listAt, textAt, type Answer } from './answer.js';
import type { KnownUser } from './environment.js';
import { inputIn, resourceIn, type ResourceForm } from './resource-form.js';
import { createSession, type Session } from './sign-in.js';
import { unique } from './unique.js';
import type { WebClient, WebRequest } from './web-client.js';

/** One event of the channel with the sender that it came from. */
interface Told {
  readonly sender: string;
  readonly type: string;
  readonly rel: string;
  readonly event: unknown;
}

/** A client that only follows links: every URL that it uses comes from a response or an event. */
export class Walker {
  private next: string;
  /** Events of the last package that were not used yet: it may contain more than the expected one. */
  private readonly unread: Told[] = [];
  private readonly mediaType: string;

  private constructor(
    private readonly client: WebClient,
    readonly session: Session,
    private readonly form: ResourceForm,
  ) {
    this.next = textAt(session.application, '_links', 'events', 'href');
    this.mediaType = form === 'xml' ? `${client.system.names.mediaType}+xml` : 'application/json';
  }

  /** Signs in. A client that reads JSON sends no Accept, as bots do, and its own content type with an empty body. */
  static async start(client: WebClient, user: KnownUser, form: ResourceForm): Promise<Walker> {
    return new Walker(client, await createSession(client, user, unique('walk-')), form);
  }

  call(operationId: string, url: string, more: Partial<WebRequest> = {}): Promise<Answer> {
    const { headers = {}, ...rest } = more;
    const own = { 'content-type': this.mediaType, ...(this.form === 'xml' ? { accept: this.mediaType } : {}) };
    return this.client.call(operationId, { url, token: this.session.token, headers: { ...own, ...headers }, ...rest });
  }

  post(operationId: string, url: string, input?: object): Promise<Answer> {
    const { xmlNamespace } = this.client.system.names;
    const body = input === undefined ? '' : inputIn(this.form, input, xmlNamespace);
    return this.call(operationId, url, { method: 'POST', body });
  }

  sendText(operationId: string, url: string, text: string): Promise<Answer> {
    return this.call(operationId, url, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: text });
  }

  async get(operationId: string, url: string): Promise<unknown> {
    const answer = await this.call(operationId, url);
    if (answer.status !== 200) throw new Error(`GET ${url}: ${answer.status} ${answer.body}`);
    return this.read(answer);
  }

  /** The content of a response, in the form of JSON. */
  read(answer: Answer): unknown {
    return resourceIn(answer, this.form);
  }

  /** The next matching event; the events before it are skipped. */
  async event(rel: string, type: string, fits: (event: unknown) => boolean = () => true): Promise<unknown> {
    const seen: string[] = [];
    for (let polls = 0; polls < 30; polls++) {
      for (let entry = this.unread.shift(); entry; entry = this.unread.shift()) {
        seen.push(`${entry.sender}: ${entry.rel} ${entry.type}`);
        if (entry.rel === rel && entry.type === type && fits(entry.event)) return entry.event;
      }
      this.unread.push(...(await this.poll()));
    }
    throw new Error(`no ${rel} ${type} among ${seen.join(', ')}`);
  }

  private async poll(): Promise<readonly Told[]> {
    const answer = await this.get('pollEvents', `${this.next}&low=5&medium=5&timeout=180`);
    this.next = textAt(answer, '_links', 'next', 'href');
    return listAt(answer, 'sender').flatMap((sender) =>
      listAt(sender, 'events').map((event) => ({
        sender: textAt(sender, 'rel'),
        type: textAt(event, 'type'),
        rel: textAt(event, 'link', 'rel'),
        event,
      })),
    );
  }
}

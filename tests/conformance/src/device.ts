import { at, header, json, textAt, type Answer } from './answer.js';
import type { KnownUser } from './environment.js';
import { EventFollower } from './event-follower.js';
import { createApplication, createSession, type Session } from './sign-in.js';
import { unique } from './unique.js';
import type { WebClient } from './web-client.js';

const JSON_BODY = { 'content-type': 'application/json' };

/** A client in which its user is available, with the events of its application. */
export class Device {
  readonly events: EventFollower;

  private constructor(
    private readonly client: WebClient,
    readonly session: Session,
    private readonly endpointId: string,
  ) {
    this.events = new EventFollower(client, session);
  }

  static async start(client: WebClient, user: KnownUser): Promise<Device> {
    const endpointId = unique('device-');
    const device = new Device(client, await createSession(client, user, endpointId), endpointId);
    await device.post('makeMeAvailable', device.link('me', 'makeMeAvailable'), { SupportedModalities: ['Messaging'] });
    return device;
  }

  /** The same client after a restart: its application again, with a channel that continues. */
  async restart(): Promise<Device> {
    const { applications, token } = this.session;
    const application = await createApplication(this.client, applications, token, this.endpointId);
    return new Device(this.client, { ...this.session, application }, this.endpointId);
  }

  async end(): Promise<void> {
    const { self: url, token } = this.session;
    await this.client.call('deleteApplication', { method: 'DELETE', url, token });
  }

  /** The URL of a link in an embedded resource of the application. */
  link(part: string, rel: string): string {
    return textAt(this.session.application, '_embedded', part, '_links', rel, 'href');
  }

  get(operationId: string, url: string): Promise<Answer> {
    return this.client.call(operationId, { url, token: this.session.token });
  }

  async read(operationId: string, url: string): Promise<unknown> {
    const answer = await this.get(operationId, url);
    if (answer.status !== 200) throw new Error(`GET ${url}: ${answer.status} ${answer.body}`);
    return json(answer);
  }

  post(operationId: string, url: string, input?: object): Promise<Answer> {
    const body = input === undefined ? '' : JSON.stringify(input);
    return this.client.call(operationId, { method: 'POST', url, token: this.session.token, headers: JSON_BODY, body });
  }

  sendText(url: string, body: string): Promise<Answer> {
    const headers = { 'content-type': 'text/plain' };
    return this.client.call('sendMessage', { method: 'POST', url, token: this.session.token, headers, body });
  }

  /** Sends an invitation and returns its URL. */
  async invite(input: object): Promise<string> {
    const answer = await this.post('startMessaging', this.link('communication', 'startMessaging'), input);
    if (answer.status !== 201) throw new Error(`no invitation: ${answer.status} ${answer.body}`);
    return header(answer, 'location') ?? '';
  }

  /** Waits for an invitation with this subject, and returns it. */
  async invited(subject: string): Promise<unknown> {
    const { resource } = await this.events.until(
      'messagingInvitation',
      'started',
      (each) => at(each.resource, 'subject') === subject && at(each.resource, 'direction') === 'Incoming',
    );
    return resource;
  }
}

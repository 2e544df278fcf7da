import { SignInRefused, TokenRefused } from './errors.js';
import type { ChannelSource } from './event-channel.js';
import type { JsonReader } from './json-reader.js';
import { MessagesClient, type MessagingApplication } from './messages.js';
import { Requests, type Fetch } from './requests.js';
import { TokenClient, type MeetingKey, type Token } from './token.js';

/** The meeting that has admitted a guest. */
export interface GuestMeeting {
  readonly subject?: string;
  readonly organizer: { readonly uri: string; readonly name: string };
}

export interface GuestSessionOptions {
  readonly origin: string;
  readonly fetch: Fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly meeting: MeetingKey;
  /** What the guest wants to be called. */
  readonly name: string;
  readonly culture: string;
  readonly newId: () => string;
  /** Called when the server refuses the token and another one: the meeting is over. */
  readonly onOver: () => void;
}

interface GuestApplication {
  readonly href: string;
  readonly events: string;
  readonly meeting: string;
  readonly communication: MessagingApplication['resource']['communication'];
}

/** A token is renewed when this part of its time is left: more than a poll takes of an hour. */
const RENEWED_AT = 1 / 6;

/** The application of a guest. Its token is only in the memory of the page, and ends with it. */
export class GuestSession implements ChannelSource, MessagingApplication {
  readonly requests: Requests;
  readonly messages: MessagesClient;
  private readonly tokens: TokenClient;
  private readonly endpointId: string;
  private token: Token | undefined;
  private renewAt = 0;
  private renewing: Promise<void> | undefined;
  private current: GuestApplication | undefined;

  constructor(private readonly options: GuestSessionOptions) {
    const { origin, fetch, now, name, newId } = options;
    this.tokens = new TokenClient({ origin, fetch, now });
    this.endpointId = newId();
    this.requests = new Requests({
      origin,
      fetch,
      authorization: () => this.token?.authorization,
      // A poll may not notice it for minutes.
      onTokenRefused: () => void this.renewOrEnd().catch((error) => error instanceof TokenRefused && options.onOver()),
    });
    this.messages = new MessagesClient(this, name);
  }

  get resource(): GuestApplication {
    if (this.current === undefined) throw new Error('the guest has not entered');
    return this.current;
  }

  /** Throws SignInRefused if the meeting is over or does not admit guests. */
  async enter(): Promise<GuestMeeting> {
    await this.renew();
    await this.open();
    return readMeeting(await this.requests.get(this.resource.meeting));
  }

  async poll(href: string, signal: AbortSignal): Promise<JsonReader> {
    if (this.options.now() >= this.renewAt) await this.renewOrEnd();
    try {
      return await this.requests.get(href, { signal });
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      await this.renewOrEnd();
      return this.requests.get(href, { signal });
    }
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.requests.get(this.resource.href, { signal });
  }

  async reopen(): Promise<string> {
    await this.open();
    return this.resource.events;
  }

  /** Ends the conversation and the token, also while the page is closed. */
  async leave(): Promise<void> {
    const { current, token } = this;
    this.current = undefined;
    if (token === undefined) return;
    // The server expires what could not be ended.
    if (current !== undefined) await this.requests.delete(current.href, { keepalive: true }).catch(() => undefined);
    this.token = undefined;
    await this.tokens.revoke(token).catch(() => undefined);
  }

  private async open(): Promise<void> {
    const { culture } = this.options;
    const body = { culture, userAgent: 'Ringdown meeting page', endpointId: this.endpointId, type: 'Browser' }; // not shown: sent to the server
    const made = await this.requests.post(this.token?.applications ?? '', { body });
    const communication = made.embedded('communication');
    this.current = {
      href: made.link('self'),
      events: made.link('events'),
      meeting: made.link('onlineMeeting'),
      communication: {
        startMessaging: communication.link('startMessaging'),
        conversations: communication.link('conversations'),
      },
    };
  }

  private async renew(): Promise<void> {
    const { now, meeting } = this.options;
    const requestedAt = now();
    this.token = await this.tokens.admit(meeting, this.token);
    this.renewAt = this.token.expiresAt - (this.token.expiresAt - requestedAt) * RENEWED_AT;
  }

  /** As a refused token: no later try succeeds. */
  private async renewOrEnd(): Promise<void> {
    this.renewing ??= this.renew().finally(() => (this.renewing = undefined));
    try {
      await this.renewing;
    } catch (error) {
      throw error instanceof SignInRefused ? new TokenRefused() : error;
    }
  }
}

function readMeeting(meeting: JsonReader): GuestMeeting {
  const subject = meeting.optionalText('subject');
  const organizer = { uri: meeting.text('organizerUri'), name: meeting.text('organizerName') };
  return { organizer, ...(subject === undefined ? {} : { subject }) };
}

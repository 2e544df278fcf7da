import { ActivityReports } from './activity.js';
import { OwnApplication, type ApplicationOptions } from './application.js';
import { EventChannel, type ChannelListener, type EventChannelOptions } from './event-channel.js';
import { MeClient } from './me.js';
import { MessagesClient } from './messages.js';
import { PeopleClient } from './people.js';
import { PresenceWatch } from './presence-watch.js';

export interface WebClientOptions extends ApplicationOptions, Pick<EventChannelOptions, 'wait' | 'random'> {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The web interface for a signed-in user. */
export class WebClient {
  readonly application: OwnApplication;
  readonly me: MeClient;
  readonly people: PeopleClient;
  readonly messages: MessagesClient;
  readonly presence: PresenceWatch;
  readonly activity: ActivityReports;
  private channel: EventChannel | undefined;

  constructor(private readonly options: WebClientOptions) {
    const { now } = options;
    this.application = new OwnApplication(options);
    const { application } = this;
    this.me = new MeClient(application);
    this.people = new PeopleClient(application);
    this.messages = new MessagesClient(application);
    this.presence = new PresenceWatch({ application, now });
    this.activity = new ActivityReports({ report: () => this.me.reportActivity(), now });
  }

  /**
   * Opens the application and follows its events. Resolves when it is open, and then `ended` when the
   * events have ended; rejects when it cannot be opened.
   */
  async start(listener: ChannelListener): Promise<{ readonly ended: Promise<void> }> {
    const { wait, random } = this.options;
    const { events } = await this.application.open();
    const channel = new EventChannel({ source: this.application, listener, wait, random });
    this.channel = channel;
    return { ended: channel.run(events) };
  }

  /** The connection is back, or the page is visible again: retry now. */
  tryNow(): void {
    this.channel?.tryNow();
  }

  /** Stops following the events; the application stays, for another page of this browser. */
  stop(): void {
    this.channel?.stop();
  }
}

/** Resolves after this many milliseconds, or when the signal is aborted. */
export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}

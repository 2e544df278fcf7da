import type { OwnApplication } from './application.js';
import { UnexpectedAnswer } from './errors.js';
import { readPresence, type ChosenAvailability, type Presence } from './people-resources.js';

/** Presence, note and location of the user (web-interface.md, section 6). */
export class MeClient {
  constructor(private readonly application: OwnApplication) {}

  async presence(): Promise<Presence> {
    return readPresence(await this.application.requests.get(this.link('presence')));
  }

  /** Undefined: depends on the activity of the user. */
  async choose(availability: ChosenAvailability | undefined): Promise<void> {
    await this.application.requests.notify(
      this.link('presence'),
      availability === undefined ? {} : { body: { availability } },
    );
  }

  async note(): Promise<string> {
    return (await this.application.requests.get(this.link('note'))).text('message');
  }

  /** At most 500 characters; empty removes it. */
  async setNote(message: string): Promise<void> {
    await this.application.requests.notify(this.link('note'), { body: { message } });
  }

  async location(): Promise<string> {
    return (await this.application.requests.get(this.link('location'))).text('location');
  }

  /** At most 60 characters; empty removes it. */
  async setLocation(location: string): Promise<void> {
    await this.application.requests.notify(this.link('location'), { body: { location } });
  }

  /** The user is active. */
  async reportActivity(): Promise<void> {
    await this.application.requests.notify(this.link('reportMyActivity'));
  }

  /** A link is missing only if the user is not available, which opening the application prevents. */
  private link(rel: 'presence' | 'note' | 'location' | 'reportMyActivity'): string {
    const href = this.application.resource.me.links[rel];
    if (href === undefined) throw new UnexpectedAnswer(`the user has no ${rel}`);
    return href;
  }
}

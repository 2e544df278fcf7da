import type { OwnApplication } from './application.js';
import { UnexpectedAnswer } from './errors.js';
import { readPresence, type ChosenAvailability, type Presence } from './people-resources.js';

/** What the user says of himself (web-interface.md, section 6). */
export class OwnPresence {
  constructor(private readonly application: OwnApplication) {}

  async presence(): Promise<Presence> {
    return readPresence(await this.application.requests.get(this.link('presence')));
  }

  /** Undefined leaves it to what the user does. */
  async choose(availability: ChosenAvailability | undefined): Promise<void> {
    await this.application.requests.tell(
      this.link('presence'),
      availability === undefined ? {} : { body: { availability } },
    );
  }

  async note(): Promise<string> {
    return (await this.application.requests.get(this.link('note'))).text('message');
  }

  /** At most 500 characters; empty takes it back. */
  async setNote(message: string): Promise<void> {
    await this.application.requests.tell(this.link('note'), { body: { message } });
  }

  async location(): Promise<string> {
    return (await this.application.requests.get(this.link('location'))).text('location');
  }

  /** At most 60 characters; empty takes it back. */
  async setLocation(location: string): Promise<void> {
    await this.application.requests.tell(this.link('location'), { body: { location } });
  }

  /** The user is there. */
  async reportActivity(): Promise<void> {
    await this.application.requests.tell(this.link('reportMyActivity'));
  }

  /** A link that is missing says that the user is not available, which opening the application has seen to. */
  private link(rel: 'presence' | 'note' | 'location' | 'reportMyActivity'): string {
    const href = this.application.resource.me.links[rel];
    if (href === undefined) throw new UnexpectedAnswer(`the user has no ${rel}`);
    return href;
  }
}

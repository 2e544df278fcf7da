import type { Directory } from '@ringdown/directory';
import type { Communications } from './communications.js';
import type { Party, Reason } from './conversation.js';
import { REASONS } from './invitation.js';
import type { OwnConversations } from './own-conversations.js';

/** Whom an address means, and where to ask. */
export interface Destination {
  readonly callee: Party;
  readonly applications: readonly string[];
  /** Why nobody can be asked; undefined when somebody can. */
  readonly failure: Reason | undefined;
}

export interface DestinationsOptions {
  readonly directory: Directory;
  readonly communications: Communications;
  readonly own: OwnConversations;
}

/** Finds the applications of whoever is invited. */
export class Destinations {
  constructor(private readonly options: DestinationsOptions) {}

  /** For somebody who calls from this application, which itself is not asked. */
  async find(to: string, application: string): Promise<Destination> {
    const { directory, communications, own } = this.options;
    const person = directory.people.withSipAddress(to);
    if (person === undefined) {
      const uri = /^sip:/i.test(to) ? to : `sip:${to}`;
      return {
        callee: { uri, name: to, username: undefined },
        applications: [],
        failure: REASONS.destinationNotFound,
      };
    }
    const { sipAddress: uri, name, username } = person;
    const others = (await communications.reachable(person)).filter((id) => id !== application);
    const full = await Promise.all(others.map((id) => own.isFull(id)));
    const applications = others.filter((_id, index) => !full[index]);
    const callee = { uri, name, username };
    if (applications.length > 0) return { callee, applications, failure: undefined };
    return { callee, applications, failure: others.length === 0 ? REASONS.unavailable : REASONS.busy };
  }
}

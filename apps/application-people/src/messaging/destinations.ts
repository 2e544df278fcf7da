import { Inject, Injectable } from '@nestjs/common';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import { Communications } from './communications.js';
import type { Party, Reason } from './conversation.js';
import { REASONS } from './invitation.js';
import { OwnConversations } from './own-conversations.js';

/** Whom an address means, and where to ask. */
export interface Destination {
  readonly callee: Party;
  readonly applications: readonly string[];
  /** Why nobody can be asked; undefined when somebody can. */
  readonly failure: Reason | undefined;
}

/** Finds the applications of whoever is invited. */
@Injectable()
export class Destinations {
  constructor(
    @Inject(DIRECTORY) private readonly directory: Directory,
    private readonly communications: Communications,
    private readonly own: OwnConversations,
  ) {}

  /** For somebody who calls from this application, which itself is not asked. */
  async find(to: string, application: string, threadId: string): Promise<Destination> {
    const { directory, communications, own } = this;
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
    const callee = { uri, name, username };
    const reach = await communications.reach(person);
    const others = reach.applications.filter((id) => id !== application);
    if (others.length === 0) return { callee, applications: [], failure: REASONS.unavailable };
    // Whatever the importance: it is the caller who chooses that.
    if (reach.isUndisturbed) return { callee, applications: [], failure: REASONS.doNotDisturb };
    const obstacles = await Promise.all(others.map((id) => own.obstacle(id, threadId)));
    const applications = others.filter((_id, index) => obstacles[index] === undefined);
    if (applications.length > 0) return { callee, applications, failure: undefined };
    const inThread = obstacles.includes('threadExists');
    return { callee, applications, failure: inThread ? REASONS.threadExists : REASONS.busy };
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import { PersonalSettings } from '../personal-settings/personal-settings.js';
import { Communications } from './communications.js';
import type { ConversationParty, FailureReason } from './conversations/conversation.js';
import { REASONS } from './invitation.js';
import { OwnConversations } from './conversations/own-conversations.js';

/** The person at an address, and the applications to invite. */
export interface Destination {
  readonly callee: ConversationParty;
  readonly applications: readonly string[];
  /** Why no application can be invited; undefined when one can. */
  readonly failure: FailureReason | undefined;
}

/** Where an invitation comes from. */
export interface InvitationOrigin {
  readonly application: string;
  /** SIP address. */
  readonly caller: string;
  readonly threadId: string;
}

/** Finds the applications of the person to invite. */
@Injectable()
export class Destinations {
  constructor(
    @Inject(DIRECTORY) private readonly directory: Directory,
    private readonly communications: Communications,
    private readonly own: OwnConversations,
    private readonly settings: PersonalSettings,
  ) {}

  /** For an invitation from this application of this caller, which itself is not invited. */
  async find(to: string, { application, caller, threadId }: InvitationOrigin): Promise<Destination> {
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
    const level = await this.settings.levelOf(username, caller);
    // As if the person was signed out: any other reason would show the presence.
    if (level === 'Blocked') return { callee, applications: [], failure: REASONS.unavailable };
    const reach = await communications.reach(person);
    const others = reach.applications.filter((id) => id !== application);
    if (others.length === 0) return { callee, applications: [], failure: REASONS.unavailable };
    // Regardless of the importance, which the caller chooses.
    if (reach.isDoNotDisturb) return { callee, applications: [], failure: REASONS.doNotDisturb };
    const obstacles = await Promise.all(others.map((id) => own.obstacle(id, threadId)));
    const applications = others.filter((_id, index) => obstacles[index] === undefined);
    if (applications.length > 0) return { callee, applications, failure: undefined };
    const inThread = obstacles.includes('threadExists');
    return { callee, applications, failure: inThread ? REASONS.threadExists : REASONS.busy };
  }
}

import { Injectable } from '@nestjs/common';
import { canonicalName } from '@ringdown/directory';
import { Meetings, parseConferenceUri, type Meeting } from '@ringdown/meetings';
import { anonymousNotAllowed } from '@ringdown/token-validation';
import { InterfaceError } from '@ringdown/web-server/errors';
import { isOver, type Conversation } from '../conversations/conversation.js';
import { ConversationStore } from '../conversations/conversation-store.js';
import { GuestInvitations } from './guest-invitations.js';
import { messagingReasons } from '../messaging-reasons.js';

/** What guests of a meeting may do in conversations, with errors of the interface. */
@Injectable()
export class MeetingGuests {
  constructor(
    private readonly meetings: Meetings,
    private readonly invitations: GuestInvitations,
    private readonly store: ConversationStore,
  ) {}

  /**
   * The meeting whose organizer a guest invites. Throws {@link InterfaceError} `AnonymousNotAllowed` for every other
   * address, whether a person has it or not.
   */
  async meetingFor(guestOf: string, to: string): Promise<Meeting> {
    const meeting = await this.find(guestOf);
    const address = canonicalName(to).replace(/^sip:/, '');
    if (meeting === undefined || meeting.organizer.replace(/^sip:/, '') !== address) {
      const message = 'A guest may write only to the organizer of the meeting.';
      throw new InterfaceError(anonymousNotAllowed, { message });
    }
    return meeting;
  }

  /** Throws {@link InterfaceError} `LimitExceeded` when the guests of the meeting invite too often. */
  async admit(guestOf: string, id: string): Promise<void> {
    const isOpen = async (each: string): Promise<boolean> => {
      const known = await this.store.read(each);
      return known !== undefined && !isOver(known.conversation);
    };
    if (!(await this.invitations.admit(guestOf, id, isOpen))) throw new InterfaceError(messagingReasons.guestsFull);
  }

  /** Whether the meeting that has admitted a guest to this conversation is over, or closed to guests. */
  async isMeetingOver({ caller: { guestOf } }: Conversation): Promise<boolean> {
    return guestOf !== undefined && (await this.find(guestOf)) === undefined;
  }

  private async find(guestOf: string): Promise<Meeting | undefined> {
    const named = parseConferenceUri(guestOf);
    const meeting = named && (await this.meetings.find(named.organizer, named.id));
    return meeting?.accessLevel === 'Everyone' ? meeting : undefined;
  }
}

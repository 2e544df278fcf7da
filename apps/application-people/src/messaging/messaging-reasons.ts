import type { ErrorRow } from '@ringdown/web-server/errors';

/** Errors of operations on conversations (web-interface.md, section 10). */
export const messagingReasons = {
  conversationNotFound: {
    status: 404,
    code: 'NotFound',
    subcode: 'ConversationNotFound',
    message: 'The conversation does not exist any more.',
  },
  invitationNotFound: { status: 404, code: 'NotFound', message: 'The invitation does not exist.' },
  guestHasLeft: {
    status: 404,
    code: 'NotFound',
    subcode: 'DestinationNotFound',
    message: 'A guest cannot be invited; the guest may write again.',
  },
  invitationOver: { status: 409, code: 'Conflict', message: 'The invitation was already answered or cancelled.' },
  notConnected: {
    status: 409,
    code: 'Conflict',
    message: 'The other person has not accepted yet.',
  },
  participantNotFound: { status: 404, code: 'NotFound', message: 'No participant has this address.' },
  messageNotFound: { status: 404, code: 'NotFound', message: 'The message does not exist any more.' },
  full: {
    status: 409,
    code: 'Conflict',
    subcode: 'LimitExceeded',
    message: 'The application is in too many conversations; end one first.',
  },
  invitesTooOften: {
    status: 409,
    code: 'Conflict',
    subcode: 'LimitExceeded',
    message: 'You have sent too many invitations; try again later.',
  },
  guestsFull: {
    status: 409,
    code: 'Conflict',
    subcode: 'LimitExceeded',
    message: 'The guests of this meeting have invited its organizer too often; try again later.',
  },
  threadExists: {
    status: 409,
    code: 'Conflict',
    subcode: 'ThreadIdAlreadyExists',
    message: 'The application is already in a conversation of this thread.',
  },
  onlyTwo: {
    status: 403,
    code: 'Forbidden',
    subcode: 'OperationNotSupported',
    message: 'A conversation has exactly two participants.',
  },
} as const satisfies Record<string, ErrorRow>;

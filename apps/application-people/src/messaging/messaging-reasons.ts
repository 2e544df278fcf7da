import type { ErrorRow } from '@ringdown/web-server';

/** Errors of operations on conversations (web-interface.md, section 10). */
export const messagingReasons = {
  conversationNotFound: {
    status: 404,
    code: 'NotFound',
    subcode: 'ConversationNotFound',
    message: 'There is no such conversation any more.',
  },
  invitationNotFound: { status: 404, code: 'NotFound', message: 'There is no such invitation.' },
  invitationOver: { status: 409, code: 'Conflict', message: 'The invitation was answered or taken back already.' },
  notConnected: {
    status: 409,
    code: 'Conflict',
    message: 'The other person has not accepted yet.',
  },
  participantNotFound: { status: 404, code: 'NotFound', message: 'Nobody with this address is in the conversation.' },
  messageNotFound: { status: 404, code: 'NotFound', message: 'There is no such message any more.' },
  full: {
    status: 409,
    code: 'Conflict',
    subcode: 'LimitExceeded',
    message: 'This application is in too many conversations; end one first.',
  },
  threadExists: {
    status: 409,
    code: 'Conflict',
    subcode: 'ThreadIdAlreadyExists',
    message: 'This application is in a conversation of this thread already.',
  },
  onlyTwo: {
    status: 403,
    code: 'Forbidden',
    subcode: 'OperationNotSupported',
    message: 'A conversation is between two people here.',
  },
} as const satisfies Record<string, ErrorRow>;

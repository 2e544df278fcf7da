export { RequestRefused, SignInRefused, TokenRefused, UnexpectedAnswer, Unreachable } from './errors.js';
export type { ChannelListener, ChannelState } from './event-channel.js';
export type { EventResource, SessionEvent } from './events.js';
export type * from './messaging-resources.js';
export type * from './people-resources.js';
export { CHOICES } from './people-resources.js';
export { Session, type SessionState } from './session.js';
export { SessionStore } from './session-store.js';
export { WebClient, waitFor } from './web-client.js';

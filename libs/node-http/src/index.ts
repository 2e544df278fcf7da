export { closableConnections, peerOf } from './closing.js';
export { ConnectionLimits, connectionLimitSettings } from './connection-limits.js';
export { connectionTimes } from './connection-times.js';
export { ConnectionsByAddress } from './connections-by-address.js';
export { descriptorLimit, fitConnections, fitPerAddress, type WantedConnections } from './descriptor-room.js';
export { sendHsts, withHsts } from './hsts.js';
export { lingerAtEnd } from './linger.js';
export { isLoopback, listenOn } from './listen.js';
export { networkOf } from './network-of.js';
export { readPem } from './pem.js';
export type { RawAnswer } from './raw-answer.js';
export { BodyCutOff, BodyTooLarge, readBody } from './read-body.js';
export {
  answerConnect,
  answerExpectations,
  continueSending,
  hasUnknownCoding,
  hostCheckedLater,
  hostProblem,
  isWaiting,
} from './request-heads.js';
export { NetworkList } from './network-list.js';
export { resetConnection } from './reset-connection.js';
export { answerUnreadable, type Unreadable } from './unreadable-requests.js';

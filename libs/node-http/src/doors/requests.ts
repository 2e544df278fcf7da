export { PlainConnections, type PlainAnswer } from '../plain-connections.js';
export { readPlainPost, type PlainPost } from '../plain-post.js';
export { BodyCutOff, BodyTooLarge, readBody } from '../read-body.js';
export {
  answerConnect,
  answerExpectations,
  continueSending,
  hasUnknownCoding,
  hostCheckedLater,
  hostProblem,
  isWaiting,
} from '../request-heads.js';
export { answerUnreadable, type Unreadable } from '../unreadable-requests.js';

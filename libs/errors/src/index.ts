export { nodeErrorCode } from './code-of.js';
export { isOwnLack } from './own-lack.js';
export { errorReason } from './reason-of.js';

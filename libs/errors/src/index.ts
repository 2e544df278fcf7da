export { codeOf } from './code-of.js';
export { isOwnLack } from './own-lack.js';
export { reasonOf } from './reason-of.js';

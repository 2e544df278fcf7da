export { codeOf } from './code-of.js';
export { reasonOf } from './reason-of.js';

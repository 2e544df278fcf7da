export { callEnd, conversationId, deviceId, DOMAIN, frontEndName, type CallEnd } from './call-parts.js';
export { errorEvent, recordTime, rounded, VIDEO_CODEC, type Failure, type ScriptedRecord } from './record-parts.js';
export { SeededRandom } from './seeded-random.js';

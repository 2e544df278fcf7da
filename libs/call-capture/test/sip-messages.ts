export * from '@ringdown/capture/test/sip-messages.js';

export type CallState = 'inviting' | 'active' | 'over';

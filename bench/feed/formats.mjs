// Numbers as they are written in the tables of bench:feed.

export const whole = (value) => Math.round(value).toLocaleString('en-US');
export const ms = (value) => value.toFixed(value < 10 ? 1 : 0);
export const share = (value) => value.toFixed(2);
export const percent = (value) => `${Math.round(value * 100)} %`;

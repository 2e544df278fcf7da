/** Of all users of a bus under test. */
export const BUS_PASSWORD = 'test';

/** The role of the services: the owner of everything in the database, but not a superuser. */
export const DATABASE_ROLE = 'ringdown';

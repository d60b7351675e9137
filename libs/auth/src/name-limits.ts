/** In characters, for the console and the operator commands. */
export const MAX_ACCOUNT_NAME_LENGTH = 80;
export const MAX_API_KEY_NAME_LENGTH = 80;
export const MAX_USER_NAME_LENGTH = 200;

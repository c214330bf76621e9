/** Whatever JSON can say: what is stored, sent and compared. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

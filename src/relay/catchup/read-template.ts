import type { Template } from './token.js';

/** Takes a provider's template apart. It never fails: what is not known stays as it is written. */
export declare function readTemplate(text: string): Template;

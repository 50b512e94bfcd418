/**
 * The part of `@huggingface/transformers` (4.x) that is used: an optional peer, so it is not there
 * to compile against.
 */
declare module '@huggingface/transformers' {
  export const pipeline: import('./transformers-embedder.ts').TransformersPackage['pipeline'];
}

/** Something that listens, watches or holds until it is disposed of. */
export interface Disposable {
  dispose(): void;
}

// Whether the first page is already on screen: until then loads wait for everything, afterwards panels fill one by one.
let isPainted = false;

export const firstPaint = {
  get isOver() {
    return isPainted;
  },
  end() {
    isPainted = true;
  },
};

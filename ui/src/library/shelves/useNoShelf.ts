import { errorMessage } from "../../kit/api/client";
import { toast } from "../../kit/ui/toast";
import { useChangeTag } from "./api";

/** Makes a shelf a plain tag again. Its books and its icon stay. */
export function useNoShelf(name: string): () => void {
  const { mutate } = useChangeTag(name);
  return () =>
    mutate(
      { shelf: false },
      {
        onError: (error) =>
          toast({
            title: "Failed to change the tag",
            description: errorMessage(error, "It could not be changed."),
            destructive: true,
          }),
      },
    );
}

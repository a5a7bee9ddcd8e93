import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Methods of java.util.Collections for `plumb symmetry --exec`: a JSON array of arguments a line, one JSON value a line.
 *
 * <pre>
 * javac Lists.java
 * plumb symmetry --exec 'java -XX:-UsePerfData -cp . Lists sort' --permute A --length 0..5 --domain A=0..4
 * </pre>
 */
class Lists {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(answer(args[0], new Reader(line).array()));
            System.out.flush();
        }
    }

    @SuppressWarnings("unchecked")
    static Object answer(String method, List<Object> arguments) {
        List<Integer> list = (List<Integer>) arguments.get(0);
        switch (method) {
            case "sort":
                Collections.sort(list);
                return list;
            case "copy":
                List<Integer> copied = new ArrayList<>(Collections.nCopies(list.size(), 0));
                Collections.copy(copied, list);
                return copied;
            case "replaceAll":
                boolean found = Collections.replaceAll(list, (Integer) arguments.get(1), (Integer) arguments.get(2));
                return "{\"found\": " + found + ", \"A\": " + list + "}";
            case "max":
                return Collections.max(list);
            default:
                throw new IllegalArgumentException(method);
        }
    }

    /** Reads arrays of whole numbers and of arrays of them. */
    static class Reader {
        final String text;
        int at = 0;

        Reader(String text) {
            this.text = text;
        }

        List<Object> array() {
            List<Object> values = new ArrayList<>();
            at++;
            while (text.charAt(at) != ']') {
                if (text.charAt(at) == '[') {
                    values.add(array());
                } else if (text.charAt(at) == ',' || text.charAt(at) == ' ') {
                    at++;
                } else {
                    int start = at;
                    while (",] ".indexOf(text.charAt(at)) < 0) {
                        at++;
                    }
                    values.add(Integer.valueOf(text.substring(start, at)));
                }
            }
            at++;
            return values;
        }
    }
}

// Prices, grades, sizes: rules with thresholds.
int tax(int income) {
    if (income <= 0) return 0;
    if (income > 10000000) return -1;
    int due = 0;
    if (income > 50000) {
        due += (income - 50000) / 100 * 40;
        income = 50000;
    }
    if (income > 12500) due += (income - 12500) / 100 * 20;
    return due;
}

int grade(int points) {
    if (points < 0 || points > 100) return -1;
    if (points >= 90) return 1;
    if (points >= 75) return 2;
    if (points >= 60) return 3;
    if (points >= 50) return 4;
    return 5;
}

int postage(int grams, int is_express) {
    if (grams <= 0 || grams > 10000) return -1;
    int price = grams <= 20 ? 85 : grams <= 50 ? 100 : grams <= 500 ? 160 : 275;
    if (is_express) price += 300;
    return price;
}

int discount(int quantity, int price) {
    if (quantity < 1 || price < 0 || quantity > 1000 || price > 100000) return 0;
    int total = quantity * price;
    if (quantity >= 100) total -= total / 5;
    else if (quantity >= 10) total -= total / 10;
    return total;
}

int page_count(int items, int per_page) {
    if (items < 0 || per_page < 1) return 0;
    return items / per_page + (items % per_page != 0);
}

int grow_capacity(int capacity, int needed) {
    if (needed < 0 || needed > 1000000) return -1;
    if (capacity < 8) capacity = 8;
    while (capacity < needed) capacity += capacity / 2;
    return capacity;
}

int align_up(int offset, int alignment) {
    if (offset < 0 || offset > 1000000 || alignment < 1 || alignment > 4096) return -1;
    return (offset + alignment - 1) / alignment * alignment;
}

int seats(int votes, int total, int all_seats) {
    if (votes < 0 || total < 1 || votes > total || total > 10000 || all_seats < 0 || all_seats > 1000) return 0;
    return votes * all_seats / total;
}

int traffic_light(int state, int seconds) {
    switch (state) {
    case 0: return seconds >= 30 ? 1 : 0;
    case 1: return seconds >= 5 ? 2 : 1;
    case 2: return seconds >= 20 ? 0 : 2;
    default: return 0;
    }
}

int stock_after(int stock, int sold, int delivered) {
    if (stock < 0 || sold < 0 || delivered < 0 || stock > 1000000 || delivered > 1000000) return -1;
    int left = stock - (sold < stock ? sold : stock);
    return left + delivered;
}
